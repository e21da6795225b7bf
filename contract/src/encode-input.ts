/** Encodes the input of a call as strings (V7-02): objects as JSON, other values as text. Absent values are omitted. */
export function encodeInput(input: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries(input)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
}

/** Fills in the fields of a call's path, such as `/proxy/epg/event/:idChannel/:idEvent`. */
export function fillPath(path: string, fields: readonly (readonly [name: string, value: string])[]): string {
  const values = new Map(fields)
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ''))
}
