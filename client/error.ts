/** A refusal of the service, in its own words. */
export class AdsError extends Error {
  readonly status: number;
  readonly error: string;
  /** Each bad field, where the request was not valid. */
  readonly details: readonly { path: string; message: string }[];
  readonly requestId: string | null;

  constructor(status: number, error: string, message: string, details: AdsError['details'], requestId: string | null) {
    super(message);
    this.status = status;
    this.error = error;
    this.details = details;
    this.requestId = requestId;
  }

  /** What a response refuses; a body that is not the service's own (a gateway's, say) says what its status means. */
  static of({ status, statusText, headers }: Response, text: string): AdsError {
    const { error = statusText, message = statusText, details = [] } = parse(text);
    return new AdsError(status, error, message, details, headers.get('x-request-id'));
  }
}

function parse(text: string): { error?: string; message?: string; details?: AdsError['details'] } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
