export type NewJobSearch = {
  /** Id of the job whose request fills the form. */
  duplicateOf?: string;
  /** The preset that is chosen at first, such as `course@2`. */
  preset?: string;
};

/** Parses the search parameters of the form; invalid values are ignored. */
export function parseNewJobSearch({ duplicateOf, preset }: Record<string, unknown>): NewJobSearch {
  return {
    ...(typeof duplicateOf === 'string' && /^[\w-]+$/.test(duplicateOf) && { duplicateOf }),
    ...(typeof preset === 'string' && /^[\w-]+@\d+$/.test(preset) && { preset }),
  };
}
