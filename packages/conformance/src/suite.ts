import type { Clause } from './clause.ts';
import { additions } from './clauses/additions.ts';
import { apiKeys } from './clauses/api-keys.ts';
import { authentication } from './clauses/authentication.ts';
import { crossOrigin } from './clauses/cross-origin.ts';
import { delivery } from './clauses/delivery.ts';
import { endpointRules } from './clauses/endpoint-rules.ts';
import { endpoints } from './clauses/endpoints.ts';
import { errors } from './clauses/errors.ts';
import { eventPayload } from './clauses/event-payload.ts';
import { events } from './clauses/events.ts';
import { fileRecord } from './clauses/file-record.ts';
import { jobError } from './clauses/job-error.ts';
import { jobRequest } from './clauses/job-request.ts';
import { jobResult } from './clauses/job-result.ts';
import { limits } from './clauses/limits.ts';
import { service } from './clauses/service.ts';
import { settings } from './clauses/settings.ts';
import { states } from './clauses/states.ts';
import { versioning } from './clauses/versioning.ts';

/** All testable sentences of the specification, in its order, then what the service promises beyond it. */
export const suite: readonly Clause[] = [
  service,
  jobRequest,
  jobResult,
  fileRecord,
  jobError,
  settings,
  apiKeys,
  states,
  endpoints,
  endpointRules,
  authentication,
  crossOrigin,
  events,
  eventPayload,
  delivery,
  errors,
  limits,
  versioning,
  additions,
].flat();
