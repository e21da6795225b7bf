/**
 * The strings that a call's input travels as (V7-02): objects as JSON, the rest as text; absent values stay away.
 */
export function encodeInput(input: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries(input)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
}
