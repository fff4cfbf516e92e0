/** The user cancelled the upload. It is no failure: the form says so neutrally. */
export class UploadCancelled extends Error {}
