import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '@ondine/server/context'
import { assets, images } from '@ondine/server/features/inventory/titles/titles.table'
import { eq } from 'drizzle-orm'
import type { Catalogue } from './catalogue.ts'
import { withTemporaryFolder } from './temporary-folder.ts'

const PICTURES = 6

/**
 * Gives every film a poster and a background. Some films share a picture. A measurement of page speed without
 * pictures would mean little.
 */
export async function hangPictures({ db, images: store }: Context, { films }: Catalogue): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const paint = async (name: string, drawing: string) => {
      const path = join(folder, `${name}.svg`)
      await writeFile(path, drawing)
      const picture = await store.store(path)
      await db.insert(images).values(picture).onConflictDoNothing()
      return picture.id
    }
    const painted: { posterImage: string; backgroundImage: string }[] = []
    for (let index = 0; index < PICTURES; index++) {
      painted.push({
        posterImage: await paint(`poster-${index}`, landscape(index, 720, 1080)),
        backgroundImage: await paint(`background-${index}`, landscape(index, 1920, 1080)),
      })
    }
    for (const [index, { id }] of films.entries()) {
      await db
        .update(assets)
        .set({ ...painted[index % PICTURES] })
        .where(eq(assets.id, id))
    }
  })
}

/** Draws clouds over a sea. The picture has as much detail as a photograph, so that it compresses like one. */
function landscape(seed: number, width: number, height: number): string {
  const hue = (seed * 47) % 360
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <filter id="clouds" x="0" y="0" width="100%" height="100%">
      <feTurbulence type="fractalNoise" baseFrequency="0.004 0.011" numOctaves="7" seed="${seed}"/>
      <feColorMatrix values="0.6 0 0 0 0.1  0 0.6 0 0 0.1  0 0 0.6 0 0.15  0 0 0 0 0.7"/>
    </filter>
    <rect width="100%" height="100%" fill="hsl(${hue} 45% 30%)"/>
    <rect width="100%" height="100%" filter="url(#clouds)"/>
    <circle cx="70%" cy="34%" r="${height / 14}" fill="hsl(${hue + 40} 80% 80%)"/>
    <path d="M0 ${height * 0.7}Q${width / 2} ${height * 0.6} ${width} ${height * 0.72}V${height}H0Z" fill="hsl(${hue + 20} 50% 14% / 0.7)"/>
  </svg>`
}
