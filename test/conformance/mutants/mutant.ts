import type { Target, Timeouts } from '../../../conformance/target.ts';
import type { Customer } from '../builders/a-conforming-stage.ts';
import type { Mutation } from './proxy.ts';

/** A service that violates one sentence of the specification. */
export type Mutant = {
  /** The id of the clause that must fail. */
  breaks: string;
  /** Completes "A service that ...". */
  how: string;
  /** The expected message of the clause. */
  found: RegExp;
  /** Between the suite and the API. */
  api?: (customer: Customer) => Mutation;
  /** Between the service and the suite's receiver. */
  webhooks?: () => Mutation;
  target?: Partial<Target>;
  timeouts?: Partial<Timeouts>;
};

/** For a clause that waits for something that never arrives. */
export const soon = { webhookMs: 20_000 };
