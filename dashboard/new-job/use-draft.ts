import { useMemo, useState } from 'react';
import { labelOf } from '../format/label.ts';
import { checkDraft } from './check-draft.ts';
import type { Draft } from './draft.ts';
import { problemsOf, type RequestProblems } from './request-problems.ts';
import { isGiven } from './source.ts';

/** A draft that is being changed, with what is wrong with it so far and what it still needs. */
export function useDraft(first: Draft) {
  const [draft, setDraft] = useState(first);
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  const [refusal, setRefusal] = useState<RequestProblems>({ fields: {} });
  const { problems, missing } = useMemo(() => checkDraft(draft), [draft]);

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
    refused: (error: Error) => setRefusal(problemsOf(error)),
    /** By the path of the field in the request. */
    problems: { ...problems, ...refusal.fields },
    /** Of the request as a whole. */
    problem: refusal.general,
    needs: [...(draft.sources.every(isGiven) ? [] : [source]), ...missing.map(labelOf)],
    isValid: Object.keys(problems).length === 0,
  };
}
