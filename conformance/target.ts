/** A stage to be judged, and what its judge was given for it. */
export type Target = {
  /** Without a slash at the end. */
  baseUrl: string;
  apiKey: string;
  /** A session token of a user who may sign in to the dashboard. */
  sessionToken?: string;
  /** Where the suite's own web server can be reached by the stage, and the port that it listens on. */
  receiver?: { url: string; port: number };
  /** The configured dashboard origin; undefined where none is configured. */
  origin?: string;
  hasDashboard: boolean;
};

/** How long the suite waits, in milliseconds. */
export type Timeouts = {
  /** For one answer of the API. */
  responseMs: number;
  /** For a job to end: a transcoder may have to be started first. */
  jobMs: number;
  /** For a webhook, once its job has ended. */
  webhookMs: number;
  /** The longest that "immediately" may take over a network and the start of a function. */
  immediatelyMs: number;
  /** How long it listens for what must not come. */
  silenceMs: number;
};

/** For a stage on the far side of a network, whose functions may all have to be started. */
export const timeouts: Timeouts = {
  responseMs: 30_000,
  jobMs: 5 * 60_000,
  webhookMs: 60_000,
  immediatelyMs: 10_000,
  silenceMs: 3_000,
};
