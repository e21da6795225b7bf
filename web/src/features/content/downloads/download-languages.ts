import { useQueryClient } from '@tanstack/react-query'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { preferencesOf } from '../../people/profiles/preferences.ts'

/**
 * Returns a function that returns the languages of a new download: the languages that the profile chose, or else the
 * operator's.
 */
export function useDownloadLanguages(): () => { audio: string; subtitle: string } {
  const queries = useQueryClient()
  const { downloads } = useConfiguration()
  return () => {
    const { audioLanguage, subtitleLanguage } = preferencesOf(queries)
    return {
      audio: audioLanguage ?? downloads.defaultAudio,
      subtitle: subtitleLanguage ?? downloads.defaultSubtitle,
    }
  }
}
