// API Gateway's quotas of an HTTP API; none of them can be raised.

/** Of the request line and the headers' values together. */
export const maxHeaderBytes = 10_240;
export const maxBodyBytes = 10 * 1024 * 1024;

/** Of the event that a function is invoked with: Lambda's quota of 6 MB. Its answer may have 100 bytes more. */
export const maxEventBytes = 6 * 1024 * 1024;
