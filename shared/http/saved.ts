import type { Campaign } from '../campaigns/campaign.ts';
import type { Saved } from '../campaigns/saved.ts';
import { toUsd } from '../platform/values/money.ts';
import { conflict, invalid, notFound, unavailable } from './errors.ts';

/** The campaign that was saved. @throws ApiError 400, 404 or 409 for the outcomes in which none was */
export function savedCampaign(saved: Saved): Campaign {
  switch (saved.outcome) {
    case 'saved':
      return saved.campaign;
    case 'invalid':
      throw invalid('management', saved.faults);
    case 'name_taken':
      throw conflict('Campaign with this name already exists');
    case 'other_budget':
      throw conflict('The budget has changed since it was read', [
        { path: 'expectedBudget', message: `The budget is ${toUsd(saved.budget)} USD now` },
      ]);
    case 'too_many':
      throw invalid('management', [{ path: '', message: `A user may have at most ${saved.most} campaigns` }]);
    case 'too_heavy': {
      const message = `The campaigns of a user may take at most ${saved.mostBytes / 1024 ** 2} MiB of memory together; use fewer or shorter keywords, or delete campaigns`;
      throw invalid('management', [{ path: '', message }]);
    }
    case 'repeated':
      throw unavailable(); // nothing was made, and nobody asked to be told of it
    case 'not_found':
      throw notFound('management', 'Campaign not found');
  }
}
