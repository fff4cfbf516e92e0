import { useMemo, useState } from 'react';
import { labelFromName } from '../format/labels.ts';
import type { Draft } from './draft.ts';
import { type RequestProblems, requestProblems } from './request-problems.ts';
import { isSourceSet } from './source.ts';
import { validateDraft } from './validate-draft.ts';

/** A draft that is being changed, with what is wrong with it so far and what it still needs. */
export function useDraft(first: Draft) {
  const [draft, setDraft] = useState(first);
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  const [refusal, setRefusal] = useState<RequestProblems>({ fields: {} });
  const { problems, missing } = useMemo(() => validateDraft(draft), [draft]);

  const change = (changes: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...changes }));
    // What the API said was of another request; and a changed one must not be taken for a repetition.
    setRefusal({ fields: {} });
    setIdempotencyKey(crypto.randomUUID());
  };
  const source = draft.sources.length > 1 ? 'every input' : 'a file or a URL';
  return {
    draft,
    idempotencyKey,
    change,
    refused: (error: Error) => setRefusal(requestProblems(error)),
    /** By the path of the field in the request. */
    problems: { ...problems, ...refusal.fields },
    /** Of the request as a whole. */
    problem: refusal.general,
    needs: [...(draft.sources.every(isSourceSet) ? [] : [source]), ...missing.map(labelFromName)],
    isValid: Object.keys(problems).length === 0,
  };
}
