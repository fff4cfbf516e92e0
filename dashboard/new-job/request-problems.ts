import { ApiError } from '../../client/api-error.ts';

/** What is wrong with a request: by the field that it belongs to, or of the whole. */
export type RequestProblems = { fields: Record<string, string>; general?: string };

const knownFields =
  /^(input\.url|inputs\.\d+\.url|output\.format|webhookUrl|recipe\..+|steps\.\d+\.(name|recipe\..+))$/;

/** Sorts what the API said of a request to the fields of the form; the rest is said of the whole. */
export function requestProblems(error: Error): RequestProblems {
  const details = error instanceof ApiError ? (error.details ?? []) : [];
  const known = details.filter(({ path }) => knownFields.test(path));
  const fields = Object.fromEntries(known.map(({ path, message }) => [path, message]));
  if (known.length > 0 && known.length === details.length) return { fields };
  return { fields, general: error.message };
}
