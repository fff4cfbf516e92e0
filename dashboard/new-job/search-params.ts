export type NewJobSearch = {
  /** The job whose request the form begins with. */
  like?: string;
};

/** Which job the address of the form asks to begin with. */
export function parseNewJobSearch({ like }: Record<string, unknown>): NewJobSearch {
  return typeof like === 'string' && /^[\w-]+$/.test(like) ? { like } : {};
}
