import type { Input, Result } from '../../packages/client/src/index.ts';

export type Summary = Result<'GET /api/v1/campaigns'>[number];
export type CampaignBody = Result<'GET /api/v1/campaigns/{id}'>;
export type NewCampaign = Input<'POST /api/v1/campaigns'>['body'];
export type CampaignChanges = Input<'PATCH /api/v1/campaigns/{id}'>['body'];
