import type { JobResource } from '@media-jobs/core/api';
import { useEffect, useState } from 'react';
import { useAuth } from 'react-oidc-context';
import type { RecipeDescription } from '../job/use-recipes.ts';
import { useSession } from '../session/session-gate.tsx';
import { type Draft, type DraftStep, draftFromJob } from './draft.ts';
import { draftToRequest } from './draft-to-request.ts';

/** Session storage key of the draft that a sign-in interrupted. */
const storageKey = 'media-jobs.interrupted-draft';

export type DraftOptions = {
  initialDraft: Draft;
  recipes: readonly RecipeDescription[];
  duplicateOf: string | undefined;
};

/**
 * The state of a draft. A sign-in leaves the page: after a 401 the draft stays in this tab until the user has signed in
 * again, and not longer, because its URLs may be signed.
 */
export function useInterruptibleDraft({ initialDraft, recipes, duplicateOf = '' }: DraftOptions) {
  const session = useSession();
  const { user } = useAuth();
  const form = `${user?.profile.sub} ${duplicateOf}`;
  const state = useState(
    () => parseInterruptedDraft(sessionStorage.getItem(storageKey), { form, recipes }) ?? initialDraft,
  );
  const [draft] = state;
  useEffect(() => sessionStorage.removeItem(storageKey), []);
  useEffect(() => {
    const keep = () => sessionStorage.setItem(storageKey, formatInterruptedDraft(draft, form));
    return session.onTokenRejected(keep);
  }, [session, draft, form]);
  return state;
}

/**
 * Formats a draft as JSON, without its content keys, which are secret, and its files, which only the page that they were
 * chosen in can read.
 *
 * @param form identifies the user and the form
 */
export function formatInterruptedDraft(draft: Draft, form: string): string {
  const kept = {
    ...draft,
    parameters: withoutContentKey(draft.parameters),
    earlierSteps: draft.earlierSteps.map(stepWithoutContentKey),
    outputs: draft.outputs.map(stepWithoutContentKey),
  };
  const { metadata, ...request } = draftToRequest(kept, (source) => (source instanceof File ? '' : source));
  return JSON.stringify({ form, job: { request, metadata } });
}

function stepWithoutContentKey<Step extends DraftStep>(step: Step): Step {
  return { ...step, parameters: withoutContentKey(step.parameters) };
}

function withoutContentKey(parameters: DraftStep['parameters']): DraftStep['parameters'] {
  const { encryption } = parameters;
  if (typeof encryption !== 'object' || encryption === null) return parameters;
  return { ...parameters, encryption: { ...encryption, key: undefined } };
}

/** The draft of the same user and form; undefined if there is none, or its recipe does not exist any more. */
export function parseInterruptedDraft(
  text: string | null,
  { form, recipes }: { form: string; recipes: readonly RecipeDescription[] },
): Draft | undefined {
  const saved: { form: string; job: Pick<JobResource, 'request' | 'metadata'> } | null = JSON.parse(text ?? 'null');
  return saved?.form === form ? draftFromJob(saved.job, recipes) : undefined;
}
