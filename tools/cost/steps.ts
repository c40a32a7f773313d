import type { Counts } from './counts.ts';
import type { TableUse } from './table-use.ts';

/** What is measured, by the names under which it is printed. */
export function stepsOf(counts: Counts): Record<string, TableUse> {
  const { bid, ad, click, delivery, alone, richAd, exchange, trustedMatch, conversation } = counts;
  return {
    bid,
    ad,
    click,
    delivery,
    'bid, alone in its batch': alone.bid,
    'ad, alone in its batch': alone.ad,
    'click, alone in its batch': alone.click,
    'delivery, first in a minute': alone.delivery,
    'request for an ad of the largest creative': richAd,
    'request for a bid, no conversation named': conversation.unnamed.bid,
    'request for a bid, a conversation named': conversation.limited.bid,
    'request for an ad, no conversation named': conversation.unnamed.ad,
    'request for an ad, a conversation named and limited': conversation.limited.ad,
    'OpenRTB: bid': exchange.bid,
    "OpenRTB: bid, the winner's creative unknown": exchange.unknownCreative,
    'OpenRTB: notice that charges': exchange.charge,
    'OpenRTB: notice that counts': exchange.notice,
    'OpenRTB: click': exchange.click,
    'Trusted Match: offer': trustedMatch.offer,
    'Trusted Match: click that charges': trustedMatch.click,
  };
}
