import { render } from 'preact';
import { App, type AppProps } from './app.tsx';
import { findVisitor, readSiteSettings } from './visitor.ts';
import './style.css';

async function arrive(): Promise<AppProps> {
  try {
    const settings = await readSiteSettings();
    return { demo: settings.demo, arrival: await findVisitor(settings) };
  } catch {
    return { demo: null, arrival: { outcome: 'unreachable' } };
  }
}

const arrived = await arrive();
const place = document.querySelector('#app')!;
place.replaceChildren();
render(<App {...arrived} />, place);
