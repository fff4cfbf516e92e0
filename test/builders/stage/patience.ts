/** How long a test waits for what a stage does, and the milliseconds between two looks. */
export const patience = { timeout: 90_000, interval: 50 };
