/** What to call a job by: the file name in its input's URL, else the host. It is only ever shown as text. */
export function inputName(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  const name = decoded(parsed.pathname.split('/').filter(Boolean).at(-1) ?? '');
  return name || parsed.host || url;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
