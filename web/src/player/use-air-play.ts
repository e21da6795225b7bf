import { useEffect, useState } from 'react'
import { useConfiguration } from '../features/configuration/use-configuration.ts'

/** What WebKit adds to the element: the list of screens that play by AirPlay. */
interface AirPlayVideo extends HTMLVideoElement {
  webkitShowPlaybackTargetPicker?(): void
}

/** Other screens by AirPlay (V1-07), which only WebKit knows. */
export interface AirPlay {
  /** Whether a screen is there, and the operator allows it. */
  offered: boolean
  /** Lets the system ask which. */
  choose(): void
}

/** Says on the element whether AirPlay is allowed, and follows whether there is a screen for it. */
export function useAirPlay(video: AirPlayVideo): AirPlay {
  const { isAirPlayEnabled } = useConfiguration().player
  const [available, setAvailable] = useState(false)

  useEffect(() => {
    const change = (event: Event) => setAvailable(Reflect.get(event, 'availability') === 'available')
    video.addEventListener('webkitplaybacktargetavailabilitychanged', change)
    return () => video.removeEventListener('webkitplaybacktargetavailabilitychanged', change)
  }, [video])

  useEffect(() => allowAirPlay(video, isAirPlayEnabled), [video, isAirPlayEnabled])

  return {
    offered: isAirPlayEnabled && available,
    choose: () => video.webkitShowPlaybackTargetPicker?.(),
  }
}

/** @returns ends it */
function allowAirPlay(video: AirPlayVideo, allowed: boolean): () => void {
  video.setAttribute('x-webkit-airplay', allowed ? 'allow' : 'deny')
  if (allowed) return () => {}
  const disable = () => {
    video.disableRemotePlayback = true
  }
  disable()
  // Shaka allows it again with each stream that it takes away.
  video.addEventListener('loadstart', disable)
  return () => {
    video.removeEventListener('loadstart', disable)
    // Where Safari streams by a managed source Shaka itself keeps it away: without that nothing would play.
    video.disableRemotePlayback = 'ManagedMediaSource' in window
  }
}
