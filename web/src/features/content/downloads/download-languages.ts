import { useQueryClient } from '@tanstack/react-query'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { preferencesOf } from '../../people/profiles/preferences.ts'

/**
 * Returns a function that returns the languages for a new download: the profile's choice, or else the operator's
 * defaults.
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
