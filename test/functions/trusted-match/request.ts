/** The registered seller URL in these tests. */
export const SELLER = 'https://assistant.example/agent';

/** A router's request for the seller's assistant. */
export const contextMatchRequest = (context_signals: object, more: object = {}): object => ({
  type: 'context_match_request',
  request_id: 'ctx-1',
  property_rid: '01916f3a-f8cb-7000-8000-000000000050',
  property_type: 'ai_assistant',
  placement_id: 'chat-inline',
  seller_agent_url: SELLER,
  context_signals,
  ...more,
});
