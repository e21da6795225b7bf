/**
 * The strings that a call's input travels as (V7-02): objects as JSON, the rest as text; absent values stay away.
 */
export function encodeInput(input: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries(input)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
}

/** A call's path with the fields that stand in it: `/proxy/epg/event/:idChannel/:idEvent`. */
export function fillPath(path: string, fields: readonly (readonly [name: string, value: string])[]): string {
  const values = new Map(fields)
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ''))
}
