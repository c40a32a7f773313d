import type * as z from 'zod';
import type { createCampaign } from '../../shared/campaigns/campaign-schema.ts';

/** Campaigns of several industries, as an advertiser would send them, except that images are file names of the site. */
const CAMPAIGNS = [
  {
    name: 'Fleet Feet running shoes',
    budget: 500,
    dailyBudget: 50,
    bidStrategy: 'manual',
    maxCpb: 4.25,
    status: 'active',
    targetAudience: {
      keywords: ['running shoes', 'trail running', 'marathon training', 'jogging shoes', 'sneakers'],
      demographics: { ageRange: '18-65', interests: ['Running and Jogging', 'Fitness'] },
    },
    creative: {
      headline: 'Shoes that forgive long runs',
      description: 'Cushioned running shoes, fitted to your stride. Free returns for 60 days.',
      callToAction: 'Find your pair',
      landingUrl: 'https://fleet-feet.example/shoes?source=assistant',
      imageUrl: 'running.svg',
      sponsoredBy: 'Fleet Feet',
    },
  },
  {
    name: 'Lakeside vacation homes',
    budget: 1200,
    bidStrategy: 'auto',
    maxCpb: 6,
    status: 'active',
    targetAudience: {
      keywords: ['holiday home', 'vacation rental', 'cabin by the lake', 'weekend getaway', 'cottage'],
      demographics: { interests: ['Travel', 'Vacation Rentals'] },
    },
    creative: {
      headline: 'A cabin by the lake, this weekend',
      description: 'Hand-picked homes with a view of the water.',
      callToAction: 'See free dates',
      landingUrl: 'https://lakeside-homes.example/book',
      imageUrl: 'lake.svg',
      sponsoredBy: 'Lakeside Homes',
    },
  },
  {
    name: 'Bistro Verde dinner tables',
    budget: 300,
    bidStrategy: 'maximize_clicks',
    maxCpb: 3.5,
    status: 'active',
    targetAudience: {
      keywords: ['italian restaurant', 'restaurant reservation', 'book a table', 'pasta', 'dinner for two'],
      demographics: { interests: ['Dining Out'] },
      countries: ['US', 'GB'],
    },
    creative: {
      headline: 'Fresh pasta, five minutes away',
      description: 'Tables tonight at Bistro Verde.',
      callToAction: 'Reserve a table',
      landingUrl: 'https://bistro-verde.example/reserve',
      imageUrl: 'pasta.svg',
      sponsoredBy: 'Bistro Verde',
    },
  },
  {
    name: 'Northwind car insurance',
    budget: 2500,
    dailyBudget: 100,
    bidStrategy: 'target_cpa',
    targetCpa: 40,
    maxCpb: 9,
    status: 'active',
    targetAudience: {
      keywords: ['car insurance', 'auto insurance quote', 'insure my car', 'cheaper insurance'],
      demographics: { ageRange: '18-80', interests: ['Auto Insurance', 'Personal Finance'] },
      excludedKeywords: ['insurance fraud'],
    },
    creative: {
      headline: 'Car insurance without the small print',
      description: 'A quote in two minutes, a policy in five.',
      callToAction: 'Get a quote',
      landingUrl: 'https://northwind-insurance.example/car',
      imageUrl: 'car.svg',
      sponsoredBy: 'Northwind',
    },
  },
  {
    name: 'Codewell programming courses',
    budget: 800,
    bidStrategy: 'auto',
    maxCpb: 5,
    status: 'active',
    targetAudience: {
      keywords: ['learn to code', 'python course', 'programming bootcamp', 'web development course'],
      demographics: { interests: ['Online Education', 'Computing'] },
    },
    creative: {
      headline: 'From first line to first job',
      description: 'Mentored programming courses at your own pace.',
      callToAction: 'Try a lesson',
      landingUrl: 'https://codewell.example/start',
      imageUrl: 'code.svg',
      sponsoredBy: 'Codewell',
    },
  },
  {
    name: 'Second Lap used sports gear',
    budget: 150,
    bidStrategy: 'auto',
    maxCpb: 3,
    status: 'active',
    targetAudience: {
      keywords: ['running shoes', 'used sports gear', 'second hand bike'],
      demographics: { interests: ['Running and Jogging', 'Cycling'] },
    },
    creative: {
      headline: 'Gear that has a second lap in it',
      description: 'Tested shoes and bikes from people who upgraded.',
      callToAction: 'Look around',
      landingUrl: 'https://second-lap.example/gear',
      imageUrl: 'bike.svg',
      sponsoredBy: 'Second Lap',
    },
  },
] satisfies z.input<typeof createCampaign>[];

/** The demo's campaigns; the first one answers the printed conversation. @param pictures where the site's files are */
export const demoCampaigns = (pictures: string): z.input<typeof createCampaign>[] =>
  CAMPAIGNS.map((campaign) => {
    const { imageUrl, ...creative } = campaign.creative;
    return { ...campaign, creative: { ...creative, imageUrl: `${pictures}/${imageUrl}` } };
  });
