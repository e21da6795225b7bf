import type { DownloadChoice } from '../../../modals/modal-kinds.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'
import { prepare } from './downloads.ts'
import { failureOf } from './failure.ts'
import type { WantedDownload } from './prepare-download.ts'
import { explain, showRefused } from './show-failure.ts'

/**
 * Prepares the downloads of several episodes, in the quality and the languages that the viewer chooses for the first
 * one. The viewer enters the parental code once, and again after its proof has expired. An episode that the service
 * refuses is left out, and named at the end. Any other failure would meet the next episodes too, so it ends the
 * preparation, as a cancel does.
 */
export async function requestSeason(episodes: readonly WantedDownload[]): Promise<void> {
  const refused: string[] = []
  let choice: DownloadChoice | undefined
  let proof: string | undefined
  for (const episode of episodes) {
    const { title } = episode.asset
    try {
      const prepared = await withParentalCode(async (parentalProof = proof) => {
        proof = parentalProof
        return await prepare({ ...episode, choice }, parentalProof)
      })
      if (prepared === null) break
      // The choice and not the delivered languages, because an episode may not have the chosen ones.
      choice ??= prepared.choice
    } catch (error) {
      if (failureOf(error) !== 'refused') {
        await explain(error, title)
        break
      }
      refused.push(title)
    }
  }
  if (refused.length > 0) await showRefused(refused)
}
