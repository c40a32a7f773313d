/** A campaign as in the service's response. */
export const campaign = (others: object = {}) => ({
  ...{ id: 'camp_1', name: 'Kayaks', description: '', status: 'active', pausedReason: null, bidStrategy: 'auto' },
  ...{ budget: 100, dailyBudget: 100, spentBudget: 0, remainingBudget: 100, maxCpb: 1, targetCpa: null },
  ...{
    createdAt: '2026-11-01T09:00:00.000Z',
    startDate: null,
    endDate: null,
    frequencyCap: null,
    excludedPublishers: [],
    conversionWindowDays: 30,
    conversionStatus: { lastConversionAt: null, lastTestAt: null },
    suggestedPhrases: [],
  },
  targetAudience: {
    ...{ keywords: ['kayaks'], excludedKeywords: [], categories: [], countries: [], languages: [] },
    demographics: { interests: [], ageRange: null },
  },
  creative: {
    ...{ headline: 'Kayaks', description: '', callToAction: '', landingUrl: 'https://kayaks.example/' },
    ...{ imageUrl: '', videoUrl: '', thumbnailUrl: '', sponsoredBy: '' },
  },
  performance: {
    ...{ impressions: 0, clicks: 0, conversions: 0, ctr: 0, averageCpb: 0 },
    ...{ conversionValue: 0, costPerConversion: null, returnOnSpend: null },
  },
  serving: { eligible: true, reasons: [] },
  spentToday: 0,
  updatedAt: '2026-11-01T09:00:00.000Z',
  ...others,
});
