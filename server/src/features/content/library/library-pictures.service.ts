import { stat } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Problem } from '../../../files/scan-folder.ts'
import type { Crop } from '../../../ingest/images.ts'
import { IngestError } from '../../../ingest/reasons.ts'
import { isErrno } from '../../../is-errno.ts'
import { insertImages } from '../../inventory/titles/images.service.ts'
import { libraryPictures } from './library.table.ts'

/**
 * Returns the image store id of a library's picture, or of a crop of it. Returns null if the file does not exist.
 * If the file is not a picture, reports a problem and returns null. Does not open a picture that has not changed
 * since the last import, unless the store has lost it.
 *
 * @param file absolute path
 */
export async function takePicture(
  { db, images: store }: Pick<Context, 'db' | 'images'>,
  file: string | null,
  problems: Problem[],
  cut?: Crop,
): Promise<string | null> {
  if (file === null) return null
  const path = cut === undefined ? file : `${file}#${cut}`
  try {
    const { size, mtimeMs } = await stat(file)
    const modifiedAt = Math.floor(mtimeMs)
    const [known] = await db.select().from(libraryPictures).where(eq(libraryPictures.path, path))
    const isKnown = known?.size === size && known.modifiedAt === modifiedAt
    if (isKnown && (await store.original(known.imageId)) !== undefined) return known.imageId
    const image = await store.store(file, cut)
    const seen = { size, modifiedAt, imageId: image.id }
    await db.transaction(async (tx) => {
      await insertImages(tx, [image])
      await tx
        .insert(libraryPictures)
        .values({ path, ...seen })
        .onConflictDoUpdate({ target: libraryPictures.path, set: seen })
    })
    return image.id
  } catch (error) {
    if (!(error instanceof IngestError || isErrno(error, 'ENOENT'))) throw error
    problems.push({ path: file, reason: error.message })
    return null
  }
}
