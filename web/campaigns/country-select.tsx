import { COUNTRIES } from '../../shared/platform/values/countries.ts';

interface CountrySelectProps {
  /** The campaign's countries, listed first. Empty if it targets all countries. */
  targeted: readonly string[];
  value: string;
  onChange(country: string): void;
}

const NAMES = new Intl.DisplayNames('en', { type: 'region' });
const byName = (codes: readonly string[]) =>
  codes.map((code) => ({ code, name: NAMES.of(code) ?? code })).sort((a, b) => a.name.localeCompare(b.name));

const options = (codes: readonly string[]) =>
  byName(codes).map(({ code, name }) => (
    <option key={code} value={code}>
      {name}
    </option>
  ));

/** The country of the user in the conversation. */
export const CountrySelect = ({ targeted, value, onChange }: CountrySelectProps) => (
  <label class="reader">
    User’s country{' '}
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {targeted.length > 0 ? (
        <>
          <optgroup label="Its countries">{options(targeted)}</optgroup>
          <optgroup label="Other countries">{options(COUNTRIES.filter((code) => !targeted.includes(code)))}</optgroup>
        </>
      ) : (
        options(COUNTRIES)
      )}
    </select>
  </label>
);
