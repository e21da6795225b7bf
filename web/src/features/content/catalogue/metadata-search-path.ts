import type { SearchKey } from '@ondine/contract/search'
import { pathOf } from '../../ground/links/content-link.ts'

/** Returns the path of a search by metadata, such as all titles with one person (V2.1-18). */
export function metadataSearchPath(searchBy: SearchKey, value: string): string {
  return `${pathOf('search', { slug: value.trim().toLowerCase() })}?searchBy=${searchBy}`
}
