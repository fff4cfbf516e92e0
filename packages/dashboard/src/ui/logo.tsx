export function Logo({ size }: { size: number }) {
  return <img src="/app/icon.svg" width={size} height={size} alt="" />;
}
