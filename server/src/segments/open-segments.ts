import type { FastifyBaseLogger } from 'fastify'
import type { Settings } from '../env.ts'
import { folderSegments } from './folder-segments.ts'
import type { SegmentStore } from './segment-store.ts'
import { parseStoreAddress } from './store-address.ts'

/**
 * Opens the store of segments that the settings name. An object store is connected to with the first request.
 *
 * @param folder the store if the settings name none, otherwise the folder for unfinished media
 * @param closing aborted when the service begins to close
 */
export async function openSegments(
  settings: Settings,
  folder: string,
  log: FastifyBaseLogger,
  closing: AbortSignal,
): Promise<SegmentStore> {
  const {
    MEDIA_STORE: address,
    AWS_ENDPOINT_URL_S3,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings
  if (address === undefined) return folderSegments(folder)
  const parsed = parseStoreAddress(address)
  // `readSettings` has already checked the address and the credentials.
  if (!parsed || accessKeyId === undefined || secretAccessKey === undefined)
    throw new Error('MEDIA_STORE is not complete.')
  const { bucket, prefix } = parsed
  const endpoint = AWS_ENDPOINT_URL_S3 ?? `https://s3.${region}.amazonaws.com`
  // Imported only when needed: most installations keep media in a folder.
  const [{ S3Client }, { s3Segments }] = await Promise.all([
    import('./s3-client.ts'),
    import('./s3-segments.ts'),
  ])
  const client = new S3Client({ endpoint, bucket, region, accessKeyId, secretAccessKey }, log, closing)
  return s3Segments(client, prefix, folder)
}
