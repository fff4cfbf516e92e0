import type { Speed } from '../../core/jobs/speeds.ts';

/** The options of `submit` that are not a recipe's, as commander names them. */
export type SubmitOptions = {
  recipe?: string;
  steps?: string;
  format?: string;
  webhookUrl?: string;
  speed?: Speed;
  metadata?: Record<string, string>;
  idempotencyKey?: string;
  wait?: boolean;
  /** True where no path was given. */
  download?: string | true;
  force?: boolean;
};

/** What a line of `submit` says. */
export type Submission = {
  /** Files and URLs. */
  inputs: readonly string[];
  /** A recipe's parameters as they were typed. */
  parameters: Record<string, string | boolean>;
  options: SubmitOptions;
};
