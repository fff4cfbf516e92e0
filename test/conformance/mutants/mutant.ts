import type { Target, Timeouts } from '../../../conformance/target.ts';
import type { Customer } from '../builders/a-conforming-stage.ts';
import type { Mutation } from './proxy.ts';

/** A service that breaks one sentence. */
export type Mutant = {
  /** The id of the clause that must notice. */
  breaks: string;
  /** How it breaks it: completes "A service that ...". */
  how: string;
  /** What the clause must say was found. */
  found: RegExp;
  /** Between the suite and the API. */
  api?: (customer: Customer) => Mutation;
  /** Between the service and the suite's receiver. */
  webhooks?: () => Mutation;
  target?: Partial<Target>;
  patience?: Partial<Timeouts>;
};

/** For a clause that waits for what never comes: long enough for what does come before it. */
export const soon = { webhookMs: 20_000 };
