export type NewJobSearch = {
  /** Id of the job whose request fills the form. */
  duplicateOf?: string;
};

/** Parses the search parameters of the form; an invalid id is ignored. */
export function parseNewJobSearch({ duplicateOf }: Record<string, unknown>): NewJobSearch {
  return typeof duplicateOf === 'string' && /^[\w-]+$/.test(duplicateOf) ? { duplicateOf } : {};
}
