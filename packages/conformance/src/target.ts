export type Target = {
  /** Without a trailing slash. */
  baseUrl: string;
  apiKey: string;
  sessionToken?: string | undefined;
  /** URL under which the stage reaches the webhook receiver, and the port to listen on. */
  receiver?: { url: string; port: number } | undefined;
  origin?: string | undefined;
  hasDashboard: boolean;
};

export type Timeouts = {
  /** For a response of the API. */
  responseMs: number;
  /** For a job to end, including a cold start. */
  jobMs: number;
  /** For a webhook after the end of its job. */
  webhookMs: number;
  /** Maximum for "immediately", over a network and with a cold start. */
  immediatelyMs: number;
  /** For a webhook that must not arrive. */
  silenceMs: number;
};

/** For a remote stage with cold starts. */
export const timeouts: Timeouts = {
  responseMs: 30_000,
  jobMs: 5 * 60_000,
  webhookMs: 60_000,
  immediatelyMs: 10_000,
  silenceMs: 3_000,
};
