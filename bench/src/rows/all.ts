import type { Row } from '../row.ts'
import { ingestCopy } from './ingest-copy.ts'
import { ingestEncode } from './ingest-encode.ts'
import { liveManifest } from './live-manifest.ts'
import { startOverManifest } from './start-over-manifest.ts'

/** Every row, in the order of the table. */
export const ROWS: readonly Row[] = [liveManifest, startOverManifest, ingestCopy, ingestEncode]
