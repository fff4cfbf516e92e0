/** One requirement of a stage: fulfilled, a quota to raise, a setting or tool to change, or unknown. */
export type Finding = {
  requirement: string;
  status: 'ok' | 'raise' | 'change' | 'unknown';
  advice: string;
};
