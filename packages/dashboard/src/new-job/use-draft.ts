import { ApiError } from '@media-jobs/client';
import { useMemo, useState } from 'react';
import { labelFromName } from '../format/labels.ts';
import type { Draft } from './draft.ts';
import { isSourceSet } from './source.ts';
import { UploadCancelled } from './upload-file.ts';
import { type DraftOptions, useInterruptibleDraft } from './use-interruptible-draft.ts';
import { validateDraft } from './validate-draft.ts';

export function useDraft(options: DraftOptions) {
  const [draft, setDraft] = useInterruptibleDraft(options);
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  const [rejection, setRejection] = useState<RequestProblems>({ fields: {} });
  const { problems, missing } = useMemo(() => validateDraft(draft), [draft]);

  const change = (changes: Partial<Draft>) => {
    setDraft((current) => ({ ...current, ...changes }));
    // A changed draft is another request: the errors of the API no longer apply, and it needs a new key.
    setRejection({ fields: {} });
    setIdempotencyKey(crypto.randomUUID());
  };
  const source = draft.sources.length > 1 ? 'all inputs' : 'a file or a URL';
  return {
    draft,
    idempotencyKey,
    change,
    showRequestError: (error: Error) => setRejection(requestProblems(error)),
    /** By the path of the field in the request. */
    problems: { ...problems, ...rejection.fields },
    /** Whether the API has rejected fields of this draft. */
    hasRejectedFields: Object.keys(rejection.fields).length > 0,
    /** A problem of the whole request. */
    generalProblem: rejection.general,
    /** Whether the upload of this draft was cancelled. */
    isCancelled: rejection.isCancelled === true,
    missing: [...(draft.sources.every(isSourceSet) ? [] : [source]), ...missing.map(labelFromName)],
    isValid: Object.keys(problems).length === 0,
  };
}

/** The problems of a request by field, and a problem of the whole request. A cancelled one has none. */
type RequestProblems = { fields: Record<string, string>; general?: string; isCancelled?: boolean };

const formFields =
  /^(input\.(url|storageProviderId|key)|inputs\.\d+\.(url|storageProviderId|key)|output\.(format|storageProviderId|key)|preset|parameters\..+|webhookUrl|priority|speed|finishBy|metadata|maxCostUsd|keepDays|recipe\..+|outputs\.[\w-]+\.(format|from|recipe\..+)|steps\.\d+\.(name|recipe\..+))$/;

/** Assigns the error details of the API to form fields. Details without a field become a general problem. */
export function requestProblems(error: Error): RequestProblems {
  if (error instanceof UploadCancelled) return { fields: {}, isCancelled: true };
  const details = error instanceof ApiError ? (error.details ?? []) : [];
  const known = details.filter(({ path }) => formFields.test(path));
  const fields = Object.fromEntries(known.map(({ path, message }) => [path, message]));
  if (known.length > 0 && known.length === details.length) return { fields };
  return { fields, general: error.message };
}
