import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { and, eq, ne } from 'drizzle-orm'
import * as z from 'zod'
import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import type { ImageStore, StoredImage } from '../../../ingest/images.ts'
import { IngestError } from '../../../ingest/reasons.ts'
import { joinInside, PathError } from '../../../paths.ts'
import { plainIssue } from '../../../plain-issue.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { type ProgrammeBlock, scheduleRules } from '../../inventory/line-up/schedule-rules.service.ts'
import { insertImages } from '../../inventory/titles/images.service.ts'
import { setBlockPictures } from '../guide-import/programmes.service.ts'

const texts = z.record(z.string().regex(/^[a-z]{3}$/), z.string().max(2000))
const hexColor = z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a colour as #rrggbb')

/** A channel of a `channels.json`. It either has rules, or is a live channel, whose input is added separately. */
const channelFile = z.object({
  number: z.int().min(1).max(999_999),
  name: z.string().min(1).max(100),
  /** Name of the channel in an earlier file. A channel is identified by its name, so this renames the channel. */
  formerly: z.string().min(1).max(100).optional(),
  description: texts.default({}),
  /** File name, relative to `channels.json`. */
  logo: z.string().min(1).max(255).optional(),
  colours: z.object({ background: hexColor }).optional(),
  /** Tags, as a list or as a text with quoted tags (V3-23). */
  tags: z.union([z.array(z.string().max(100)), z.string().max(2000).transform(quotedValues)]).default([]),
  genre: z.string().max(100).default(''),
  moralityLevel: z.int().min(0).max(6).default(0),
  free: z.boolean().default(false),
  /**
   * How far back the channel may be watched, in seconds. 0 means not at all, null means the storefront's setting
   * (V3-47). If omitted, the stored value stays.
   */
  timeShift: z.int().min(0).max(86_400).nullable().optional(),
  /** Id of the channel in guides. If omitted, the stored value stays. */
  guide: z.string().min(1).max(200).optional(),
  live: z.literal(true).optional(),
  rules: scheduleRules.optional(),
})

const file = z.object({ channels: z.array(z.unknown()).max(10_000) })

/**
 * Maximum number of channels in a slice of the import. Other calls are answered between slices. Each channel has
 * its own transaction.
 */
export const MOST_AT_ONCE = 100
const FIRST_AT_ONCE = 10

/** Result of an import of channels. */
export interface ChannelImport {
  /** Ids of the channels in the file, in the order of the file. */
  channelIds: number[]
  /** Skipped channels, and skipped pictures of channels, with the reason as text. */
  faults: { channel: string; reason: string }[]
}

/** Thrown when the file is not a readable `channels.json`. */
export class ChannelFileError extends Error {
  override name = 'ChannelFileError'
}

/**
 * Imports the channels of a `channels.json`. Channels are identified by name, or by their former name. A repeated
 * import updates a channel, but not the part of its schedule that is already published. Invalid channels are skipped
 * and reported with the reason.
 *
 * @throws ChannelFileError when the file is not a `channels.json`.
 */
export async function importChannels(
  context: Pick<Context, 'db' | 'images'>,
  path: string,
): Promise<ChannelImport> {
  const result: ChannelImport = { channelIds: [], faults: [] }
  const entries = await readChannels(path)
  const pace = new Pace(MOST_AT_ONCE, FIRST_AT_ONCE)
  await pace.over(entries, async (some, from) => {
    for (const [index, entry] of some.entries()) {
      const id = await takeChannel(context, path, entry, from + index, result.faults)
      if (id !== undefined) result.channelIds.push(id)
    }
  })
  return result
}

/** Imports one channel. @returns the id of the channel; undefined if it was skipped. */
async function takeChannel(
  { db, images: store }: Pick<Context, 'db' | 'images'>,
  path: string,
  entry: unknown,
  index: number,
  faults: ChannelImport['faults'],
): Promise<number | undefined> {
  const parsed = channelFile.safeParse(entry, { error: plainIssue })
  if (!parsed.success) {
    const reason = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ')
    faults.push({ channel: nameOf(entry) ?? `number ${index + 1} of the file`, reason })
    return undefined
  }
  const { number, name, description, logo, colours, tags, genre, moralityLevel, free, timeShift, guide } =
    parsed.data
  const { live, rules, formerly } = parsed.data
  const fault = (reason: string) => faults.push({ channel: name, reason })
  if ((live === undefined) === (rules === undefined)) {
    fault('it has either rules or live: true')
    return undefined
  }
  const kind = live ? 'live' : 'library'
  const picture = logo === undefined ? undefined : await storePicture(store, path, logo)
  if (typeof picture === 'string') fault(`logo: ${picture}`)
  const blockPictures: StoredImage[] = []
  const blocks: ProgrammeBlock[] = []
  for (const block of rules?.blocks ?? []) {
    const found = block.picture === undefined ? undefined : await storePicture(store, path, block.picture)
    if (typeof found === 'string') fault(`${block.id}: ${found}`)
    if (typeof found === 'object') blockPictures.push(found)
    blocks.push({ ...block, imageId: typeof found === 'object' ? found.id : null })
  }
  const fields = {
    names: { fra: name, eng: name },
    descriptions: description,
    tags,
    mainGenre: genre,
    moralityLevel,
    free,
    ...(rules && { rules: { ...rules, blocks } }),
    ...(colours && { color: colours.background.toLowerCase() }),
    ...(timeShift !== undefined && { timeshiftSeconds: timeShift }),
    ...(guide !== undefined && { guideId: guide }),
  }
  const stored = typeof picture === 'object' ? picture : undefined
  const outcome = await retryOnDeadlock(
    async () =>
      await db.transaction(async (tx) => {
        const pictures = stored ? [...blockPictures, stored] : blockPictures
        await insertImages(tx, pictures)
        const known =
          (await findStored(tx, name)) ??
          (formerly === undefined ? undefined : await findStored(tx, formerly))
        if (known && known.kind !== kind) return `it is a channel of another kind already: ${known.kind}`
        // Values that an operator has set by hand override the values of the file.
        const said = { number, ...fields, ...(stored && { logoImage: stored.id }), ...known?.held }
        const holders = await tx
          .select({ id: channels.id })
          .from(channels)
          .where(and(eq(channels.number, said.number), ne(channels.sourceKey, known?.sourceKey ?? name)))
        if (holders.length > 0) return `number ${number} belongs to another channel`
        if (known && known.sourceKey !== name)
          await tx.update(channels).set({ sourceKey: name }).where(eq(channels.id, known.id))
        const [row] = await tx
          .insert(channels)
          .values({ sourceKey: name, kind, ...said })
          .onConflictDoUpdate({ target: channels.sourceKey, set: said })
          .returning({ id: channels.id })
        if (row) await showPictures(tx, row.id, blocks)
        return row?.id
      }),
  )
  if (typeof outcome !== 'string') return outcome
  fault(outcome)
  return undefined
}

/** Returns the stored channel with this name in `channels.json`, and locks it. */
async function findStored(tx: Transaction, sourceKey: string) {
  const { id, held, kind } = channels
  const [row] = await tx
    .select({ id, held, kind, sourceKey: channels.sourceKey })
    .from(channels)
    .where(eq(channels.sourceKey, sourceKey))
    .for('update')
  return row
}

/**
 * Updates the pictures of blocks in programmes that are already planned: the picture of a block may be added
 * later.
 */
async function showPictures(
  tx: Transaction,
  channelId: number,
  blocks: readonly ProgrammeBlock[],
): Promise<void> {
  const pictured = blocks.flatMap(({ title, imageId }) =>
    imageId === null ? [] : [{ titles: title, imageId }],
  )
  await setBlockPictures(tx, channelId, pictured)
}

async function readChannels(path: string): Promise<unknown[]> {
  try {
    return file.parse(JSON.parse(await readFile(path, 'utf8'))).channels
  } catch (error) {
    throw new ChannelFileError(`${path} is not a list of channels.`, { cause: error })
  }
}

/** Stores a picture. Returns the reason as text if the picture is not usable. */
async function storePicture(store: ImageStore, file: string, name: string): Promise<StoredImage | string> {
  try {
    return await store.store(joinInside(dirname(file), name))
  } catch (error) {
    if (error instanceof IngestError || error instanceof PathError) return error.message
    throw error
  }
}

function nameOf(entry: unknown): string | undefined {
  const name = typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : undefined
  return typeof name === 'string' ? name : undefined
}

/** Returns the quoted values in a text: `"sport","direct"` gives sport and direct (V3-23). */
export function quotedValues(text: string): string[] {
  return [...text.matchAll(/"([^"]+)"/g)].map(([, value]) => value ?? '')
}
