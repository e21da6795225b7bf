import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const WEB = join(import.meta.dirname, '..')

/**
 * Matches CSS declarations that name a physical side (left or right). Such a side stays the same when a page is
 * mirrored for a right-to-left language. `50%` is allowed, because it is the middle from either side.
 */
const PHYSICAL =
  /(?:^|[\s;{])(?:left|right|(?:margin|padding|border)-(?:left|right)(?:-\w+)?|border-(?:top|bottom)-(?:left|right)-radius)\s*:(?!\s*50%)|text-align\s*:\s*(?:left|right)|(?:float|clear)\s*:\s*(?:left|right)|\bto (?:left|right)\b/

/** In these files time runs from left to right in every language, so physical sides are allowed. */
const TIME = new Set(['player/controls/scrubber.module.css', 'player/controls/centre-controls.module.css'])

test.each(globSync('**/*.css', { cwd: WEB }).filter((file) => !TIME.has(file)))(
  '%s can be mirrored for a language that is written from right to left',
  (file) => {
    const lines = readFileSync(join(WEB, file), 'utf8').split('\n')
    expect(
      lines.flatMap((line, index) => (PHYSICAL.test(line) ? [`${index + 1}: ${line.trim()}`] : [])),
    ).toEqual([])
  },
)
