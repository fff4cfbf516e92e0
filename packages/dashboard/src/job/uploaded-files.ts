const objectUrls = new Map<string, string>();

/** Keeps an uploaded file until the page is closed, to show it beside the result. */
export function rememberUploadedFile(inputUrl: string, file: File): void {
  objectUrls.set(inputUrl, URL.createObjectURL(file));
}

/** The object URL of a file that was uploaded from this page. */
export function uploadedFileUrl(inputUrl: string): string | undefined {
  return objectUrls.get(inputUrl);
}
