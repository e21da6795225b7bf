import type { ScannedFolder } from '../../../files/scan-folder.ts'
import { isBroadcastFile, isVideo, stemOf } from './video-names.ts'

/**
 * Names of a folder's files in the form of {@link comparable}. The files beside each video of a folder are found by
 * name. With thousands of films in one folder, reading all names again for each film would take minutes.
 */
interface FolderNames {
  /** In ascending order of `lower`. `position` is the index in the folder. */
  sorted: { lower: string; file: string; position: number }[]
  /** First file of each name. */
  files: Map<string, string>
  /** Names of the videos, without extensions. */
  videoStems: Set<string>
}

/** Sorts after all characters of names (U+FFFF is no character). */
const LAST_CHARACTER = '\uFFFF'

const known = new WeakMap<ScannedFolder, FolderNames>()

/** Returns the first file with this name. Letter case and the form of accents do not count. */
export function fileCalled(folder: ScannedFolder, name: string): string | undefined {
  return namesOf(folder).files.get(comparable(name))
}

/**
 * Returns the files whose names begin with `prefix`, in the folder's order. Letter case and the form of accents do not
 * count.
 */
export function filesBeginningWith(folder: ScannedFolder, prefix: string): string[] {
  const { sorted } = namesOf(folder)
  const wanted = comparable(prefix)
  const found = sorted.slice(firstFrom(sorted, wanted), firstFrom(sorted, wanted + LAST_CHARACTER))
  return found.toSorted((one, other) => one.position - other.position).map(({ file }) => file)
}

/**
 * Returns whether a file beside the video `stem` belongs to another video, whose name is longer: `Rocky.II.fr.srt`
 * does not belong to `Rocky.mkv` if there is `Rocky.II.mkv`.
 */
export function belongsToLongerVideo(folder: ScannedFolder, file: string, stem: string): boolean {
  const { videoStems } = namesOf(folder)
  const lower = comparable(file)
  for (
    let dot = lower.indexOf('.', comparable(stem).length + 1);
    dot !== -1;
    dot = lower.indexOf('.', dot + 1)
  )
    if (videoStems.has(lower.slice(0, dot))) return true
  return false
}

/**
 * Returns a name for comparisons. Letter case does not count. An accented letter may be one character or, in the names
 * of a Mac, a letter and a combining accent.
 */
export function comparable(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

function namesOf(folder: ScannedFolder): FolderNames {
  let names = known.get(folder)
  if (names === undefined) {
    names = read(folder)
    known.set(folder, names)
  }
  return names
}

function read({ files }: ScannedFolder): FolderNames {
  const sorted = files
    .map((file, position) => ({ file, position, lower: comparable(file) }))
    .toSorted((one, other) => (one.lower < other.lower ? -1 : one.lower > other.lower ? 1 : 0))
  return {
    sorted,
    // The last entry of a name wins, so the order is reversed.
    files: new Map(files.toReversed().map((file) => [comparable(file), file])),
    videoStems: new Set(
      files.filter((file) => isVideo(file) || isBroadcastFile(file)).map((file) => comparable(stemOf(file))),
    ),
  }
}

/** Returns the index of the first name that is not before `wanted`. */
function firstFrom(sorted: FolderNames['sorted'], wanted: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.lower ?? '') < wanted) low = middle + 1
    else high = middle
  }
  return low
}
