const addresses = new Map<string, string>();

/** Keeps a file that was uploaded from this page at hand, to show it beside the result until the page is left. */
export function rememberUploadedFile(inputUrl: string, file: File): void {
  addresses.set(inputUrl, URL.createObjectURL(file));
}

/** The address of such a file, for this page only. */
export function uploadedFileUrl(inputUrl: string): string | undefined {
  return addresses.get(inputUrl);
}
