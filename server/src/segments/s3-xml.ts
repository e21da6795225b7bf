import { SaxesParser } from 'saxes'

/** An object of a listing. */
interface ListedObject {
  key: string
  /** When the object was stored, in milliseconds since the Unix epoch. */
  storedAt: number
}

/** A page of a listing (ListObjectsV2). */
export interface ListedObjects {
  objects: ListedObject[]
  /** Common prefixes, each up to and including the delimiter. */
  folders: string[]
  /** Token of the next page; undefined for the last page. */
  next: string | undefined
}

/** Parses a page of a listing; undefined if `xml` is something else. */
export function readListing(xml: string): ListedObjects | undefined {
  const values = valuesOf(xml)
  if (!values || values.root !== 'ListBucketResult') return undefined
  const isEncoded = values.all('EncodingType').includes('url')
  const decode = (name: string): string => (isEncoded ? decoded(name) : name)
  const times = values.all('Contents/LastModified')
  const isTruncated = values.all('IsTruncated').includes('true')
  return {
    objects: values.all('Contents/Key').map((key, index) => ({
      key: decode(key),
      storedAt: Date.parse(times[index] ?? ''),
    })),
    folders: values.all('CommonPrefixes/Prefix').map(decode),
    next: isTruncated ? values.all('NextContinuationToken')[0] : undefined,
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    // The name is not valid URL encoding, and is used as it is. The service never stores an object under such a name.
    return name
  }
}

/** Parses the error of an answer. The code is empty if the answer contains no error. */
export function faultOf(xml: string): { code: string; size: number | undefined } {
  const values = valuesOf(xml)
  if (values?.root !== 'Error') return { code: '', size: undefined }
  const size = Number(values.all('ActualObjectSize')[0])
  // Messages contain the code, so only letters and digits are allowed.
  const code = (values.all('Code')[0] ?? '').replace(/[^A-Za-z0-9]/g, '').slice(0, 60)
  return { code, size: Number.isSafeInteger(size) ? size : undefined }
}

/** Returns the codes of the objects that were not deleted. */
export function refusedKeys(xml: string): string[] {
  return valuesOf(xml)?.all('Error/Code') ?? []
}

interface Values {
  root: string
  /** Returns the texts of all elements at this path below the root, in their order. */
  all(path: string): string[]
}

/** Returns the texts of an XML document by the paths of their elements; undefined if `xml` is not XML. */
function valuesOf(xml: string): Values | undefined {
  const parser = new SaxesParser()
  const found = new Map<string, string[]>()
  const path: string[] = []
  let root = ''
  let text = ''
  let isFaulty = false
  parser.on('error', () => {
    isFaulty = true
  })
  parser.on('opentag', ({ name }) => {
    if (root === '') root = name
    else path.push(name)
    text = ''
  })
  parser.on('text', (piece) => {
    text += piece
  })
  parser.on('closetag', () => {
    const at = path.join('/')
    const texts = found.get(at)
    if (texts) texts.push(text)
    else found.set(at, [text])
    text = ''
    path.pop()
  })
  parser.write(xml).close()
  return isFaulty || root === '' ? undefined : { root, all: (at) => found.get(at) ?? [] }
}
