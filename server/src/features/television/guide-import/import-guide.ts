import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { inLanes } from '../../../in-lanes.ts'
import { openSource } from '../../../outbound/open-source.ts'
import { plainName } from '../../../outbound/plain-name.ts'
import type { AnnouncedContent } from './announced.ts'
import { findGuideChannels } from './guide.repository.ts'
import { mapChannels } from './map-channels.ts'
import type { GuideLock } from './programmes.service.ts'
import { readProgramme, type SourceHabits } from './read-programme.ts'
import type { Remark } from './remark.ts'
import { type GuideOwner, type ProgrammeToWrite, type Replaced, replaceWindow } from './replace-window.ts'
import { type SettleCounts, settle } from './settle.ts'
import { openSpool, type Spool } from './spool.ts'
import { readXmltv } from './xmltv-reader.ts'

/** Limits of one guide. */
const GUIDE_LIMITS = {
  maxMilliseconds: 900_000,
  /** Maximum number of stored remarks. Further remarks are only counted. */
  remarks: 1000,
  programmesOfChannel: 20_000,
  /** How far ahead programmes are imported, in milliseconds. */
  aheadMs: 60 * 86_400_000,
  /** Maximum number of unknown channels that are counted and reported. */
  unknown: 5000,
} as const

/**
 * Maximum number of programmes that a transaction writes. In the embedded database, which has one connection, all
 * other calls wait until the transaction ends.
 */
export const MOST_ROWS = { embedded: 100, postgresql: 250 } as const
const FIRST_ROWS = 25

/**
 * Number of channels that are written at the same time. A second lane lets PostgreSQL use a second processor. The
 * embedded database has only one connection.
 */
const LANES = { embedded: 1, postgresql: 2 } as const
/**
 * Minimum number of database connections for two lanes. With fewer, two lanes that wait for a lock could leave no
 * connection for calls.
 */
const LEAST_POOL = 4

/** A guide to import, with the settings of its source. */
export interface GuideOrigin extends SourceHabits, GuideOwner {
  location: string
  mapping: Readonly<Record<string, string>>
}

/** Result of an import of a guide. */
export interface GuideImport extends Replaced, SettleCounts {
  /** Number of channels whose guide was updated. */
  channels: number
  /** Number of programmes that were read, including programmes of unknown channels. */
  read: number
  refused: number
  /** Number of programmes before the retained past, or too far in the future. */
  outside: number
  unknownChannels: number
  /** Remarks in the order of lines, at most {@link GUIDE_LIMITS.remarks}. */
  remarks: Remark[]
}

/** Callback for the progress of an import, in percent, and a signal that aborts the import. */
export interface GuideProgress {
  signal: AbortSignal
  onProgress(text: string, percent: number): void
}

/**
 * Imports a guide (XMLTV, also compressed) from a file or an address. Reads the whole file first, so that a
 * truncated or invalid guide changes nothing. Then replaces the covered window of each channel, in slices with a
 * transaction each. PostgreSQL writes two channels at a time. Memory use does not grow with the file.
 *
 * @param keepFrom start of the retained past, in milliseconds since the Unix epoch. Programmes that end before it
 * are omitted.
 * @throws XmltvError, SourceError when the guide cannot be read
 */
export async function importGuide(
  {
    db,
    clock,
    settings,
    connection,
    onGuideChanged,
  }: Pick<Context, 'db' | 'clock' | 'settings' | 'connection' | 'onGuideChanged'>,
  origin: GuideOrigin,
  keepFrom: number,
  { signal, onProgress }: GuideProgress,
): Promise<GuideImport> {
  const notes = takeNotes()
  const source = await openSource(
    origin.location,
    {
      maxBytes: settings.GUIDE_MAX_MB * 1_000_000,
      maxUnpackedBytes: settings.GUIDE_MAX_MB * 1_000_000,
      maxMilliseconds: GUIDE_LIMITS.maxMilliseconds,
      allow: settings.OUTBOUND_ALLOW,
    },
    signal,
  )
  const map = mapChannels(await findGuideChannels(db), origin.mapping)
  const spool = await openSpool()
  try {
    const window = { from: keepFrom, to: clock.now() + GUIDE_LIMITS.aheadMs }
    async function* watched(): AsyncGenerator<Buffer> {
      for await (const chunk of source.bytes) {
        onProgress('Reading the guide', 60 * (source.progress() ?? 0))
        yield chunk
      }
    }
    const { lastLine, ...counts } = await readInto(spool, watched(), map, origin, window, notes)
    const leftOut = source.leftOut()
    if (leftOut !== undefined) notes.add(lastLine, leftOut)
    const result: GuideImport = {
      channels: 0,
      added: 0,
      changed: 0,
      unchanged: 0,
      removed: 0,
      outranked: 0,
      doubles: 0,
      overlaps: 0,
      gaps: 0,
      openEnds: 0,
      ...counts,
      remarks: [],
    }
    const total = Math.max(1, counts.kept)
    const pace = new Pace(MOST_ROWS[connection.kind], FIRST_ROWS)
    const lanes = settings.DATABASE_POOL_SIZE < LEAST_POOL ? 1 : LANES[connection.kind]
    let done = 0
    await inLanes(lanes, spool.channels(), async ({ channelId, announced }) => {
      signal.throwIfAborted()
      const settled = settle(announced, notes.addOnce)
      addTo(result, settled.counts)
      const wanted = settled.programmes.filter(({ endsAt }) => endsAt > keepFrom)
      let changes = 0
      // With a single lane, a first attempt with `additions` would only cost an extra transaction.
      let lock: GuideLock = lanes > 1 ? 'additions' : 'all'
      for (let at = 0; at < wanted.length; ) {
        signal.throwIfAborted()
        const { rows, usedLock, ...replaced } = await pace.slice(
          async (most) =>
            await replaceSlice(db, channelId, origin, wanted.slice(at, at + most + 1), most, lock),
        )
        at += rows
        // If one slice changes programmes, the next slices of the channel often do too. So start them with the
        // same lock.
        lock = usedLock
        changes += replaced.added + replaced.changed + replaced.removed
        addTo(result, replaced)
      }
      if (changes > 0) await onGuideChanged(channelId)
      if (wanted.length > 0) result.channels++
      done += announced.length
      onProgress('Updating channels', 60 + (40 * done) / total)
    })
    result.remarks = notes.list()
    return result
  } finally {
    await spool.close()
  }
}

/**
 * Writes the first `most` programmes of `following`. Replaces the window from the first of these programmes to the
 * start of the programme after them.
 *
 * @param lock lock for the first attempt. `additions` suffices for a slice that only adds programmes. Any other
 * slice needs a second attempt with `all`.
 * @returns the counts, the number of written programmes, and the lock of the successful attempt.
 */
async function replaceSlice(
  db: Database,
  channelId: number,
  owner: GuideOwner,
  following: readonly ProgrammeToWrite[],
  most: number,
  lock: GuideLock,
): Promise<Replaced & { rows: number; usedLock: GuideLock }> {
  const wanted = following.slice(0, most)
  const from = wanted[0]?.startsAt ?? 0
  const to = following[most]?.startsAt ?? wanted.at(-1)?.endsAt ?? from
  const replace = async (usedLock: GuideLock) => {
    const replaced = await retryOnDeadlock(
      async () =>
        await db.transaction(
          async (tx) => await replaceWindow(tx, channelId, owner, { from, to, wanted }, most, usedLock),
        ),
    )
    return replaced && { ...replaced, usedLock }
  }
  const replaced = (await replace(lock)) ?? (await replace('all'))
  if (!replaced) throw new Error('A slice of the guide was not written.')
  const { isWhole, ...counts } = replaced
  return { ...counts, rows: isWhole ? wanted.length : 0 }
}

interface ReadCounts {
  read: number
  refused: number
  outside: number
  unknownChannels: number
  /** Number of programmes that were added to the spool. */
  kept: number
  /** Number of the last line of the guide. */
  lastLine: number
}

async function readInto(
  spool: Spool,
  bytes: AsyncIterable<Buffer>,
  map: ReturnType<typeof mapChannels>,
  habits: SourceHabits,
  window: { from: number; to: number },
  notes: Notes,
): Promise<ReadCounts> {
  const counts: ReadCounts = { read: 0, refused: 0, outside: 0, unknownChannels: 0, kept: 0, lastLine: 0 }
  const unknown = new Set<string>()
  const ofChannel = new Map<number, number>()
  const lastStart = new Map<string, number>()
  const targets = (xmltvId: string) => map.find(xmltvId).filter(({ isLibrary }) => !isLibrary)
  const reasonFor = (xmltvId: string): string => {
    if (map.find(xmltvId).length > 0) return 'plays from the library, whose schedule writes its guide.'
    return map.isNamesake(xmltvId)
      ? 'has the name of a channel that already has a guide in this file; map it to show it.'
      : 'is not known here; its programmes are left out.'
  }
  counts.lastLine = await readXmltv(bytes, {
    channel: (channel) => map.declare(channel),
    wants: (xmltvId, line) => {
      counts.read++
      if (targets(xmltvId).length > 0) return true
      if (!unknown.has(xmltvId) && unknown.size < GUIDE_LIMITS.unknown) {
        unknown.add(xmltvId)
        counts.unknownChannels++
        const name = xmltvId.slice(0, 80)
        notes.add(
          line,
          xmltvId === '' ? 'A programme without a channel.' : `Channel ${name} ${reasonFor(xmltvId)}`,
        )
      }
      return false
    },
    programme: (element) => {
      const xmltvId = element.attributes.channel?.trim() ?? ''
      const announced = readProgramme(element, habits, lastStart.get(xmltvId), notes.add)
      if (typeof announced === 'string') {
        counts.refused++
        notes.add(element.line, announced)
        return
      }
      const { line, content } = announced
      lastStart.set(xmltvId, announced.startsAt)
      const columns = JSON.stringify(columnsOf(content))
      for (const { id, shiftMs } of targets(xmltvId)) {
        const startsAt = announced.startsAt + shiftMs
        const endsAt = announced.endsAt === null ? null : announced.endsAt + shiftMs
        if (startsAt > window.to || (endsAt ?? startsAt + 3600_000) <= window.from) {
          counts.outside++
          continue
        }
        const place = (ofChannel.get(id) ?? 0) + 1
        ofChannel.set(id, place)
        if (place > GUIDE_LIMITS.programmesOfChannel) {
          counts.refused++
          notes.addOnce(
            line,
            `Channel ${xmltvId} has more than ${GUIDE_LIMITS.programmesOfChannel} programmes.`,
          )
        } else {
          counts.kept++
          spool.add(id, { line, startsAt, endsAt, universalId: content.universalId, columns })
        }
      }
    },
    remark: notes.add,
  })
  return counts
}

function columnsOf(content: AnnouncedContent): Record<string, unknown> {
  return {
    titles: content.titles,
    subtitles: content.subtitles,
    descriptions: content.descriptions,
    genres: content.genres,
    morality_level: content.moralityLevel,
    adult: content.adult,
    year: content.year,
    season_number: content.seasonNumber,
    episode_number: content.episodeNumber,
    is_new: content.isNew,
    is_repeat: content.isRepeat,
    is_live: content.isLive,
    audio_languages: content.audioLanguages,
    subtitle_languages: content.subtitleLanguages,
    image_address: content.imageAddress,
    details: content.details,
  }
}

function addTo<Counts extends object>(sum: Counts, counts: { [Key in keyof Counts]?: number }): void {
  for (const key of Object.keys(counts) as (keyof Counts)[]) {
    // The cast is safe, because all values of the counts are numbers.
    ;(sum[key] as number) += counts[key] ?? 0
  }
}

interface Notes {
  add(line: number, reason: string): void
  /** Adds a remark once per line. A programme on several channels would otherwise repeat it. */
  addOnce(line: number, reason: string): void
  list(): Remark[]
}

/** Maximum length of a remark, in characters. */
const LONGEST_REMARK = 500

function takeNotes(): Notes {
  const remarks: Remark[] = []
  const toldOnce = new Set<string>()
  const add = (line: number, reason: string): void => {
    // A remark may contain text from the file, with any length and any characters. So limit and clean it.
    if (remarks.length < GUIDE_LIMITS.remarks)
      remarks.push({ line, reason: plainName(reason, LONGEST_REMARK) })
  }
  return {
    add,
    addOnce: (line, reason) => {
      const remark = `${line} ${reason}`
      if (remarks.length >= GUIDE_LIMITS.remarks || toldOnce.has(remark)) return
      toldOnce.add(remark)
      add(line, reason)
    },
    list: () => remarks.toSorted((one, other) => one.line - other.line),
  }
}
