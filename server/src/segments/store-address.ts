/** Matches a bucket, and a prefix of all names in the bucket. */
const ADDRESS = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?<prefix>(?:\/[\w-][\w.-]*)*)\/?$/

/** Parses an address such as `s3://bucket/folder`; undefined if the text has another form. */
export function parseStoreAddress(address: string): { bucket: string; prefix: string } | undefined {
  const { bucket, prefix } = ADDRESS.exec(address)?.groups ?? {}
  if (bucket === undefined || prefix === undefined) return undefined
  return { bucket, prefix: prefix === '' ? '' : `${prefix.slice(1)}/` }
}
