import { useEffect, useState } from 'react'
import { useConfiguration } from '../../features/ground/configuration/use-configuration.ts'

/** The video element with WebKit's function that opens the list of AirPlay screens. */
interface AirPlayVideo extends HTMLVideoElement {
  webkitShowPlaybackTargetPicker?(): void
}

/** Playback on other screens by AirPlay (V1-07), which only WebKit supports. */
export interface AirPlay {
  /** Whether a screen is available, and the operator allows AirPlay. */
  offered: boolean
  /** Opens the system's list of screens. */
  choose(): void
}

/**
 * Allows or forbids AirPlay on the element, as the operator has configured. Also observes whether a screen for
 * AirPlay is available.
 */
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

/**
 * Allows or forbids AirPlay on the element.
 * @returns a function that undoes the prohibition; it does nothing if AirPlay was allowed
 */
function allowAirPlay(video: AirPlayVideo, allowed: boolean): () => void {
  video.setAttribute('x-webkit-airplay', allowed ? 'allow' : 'deny')
  if (allowed) return () => {}
  const disable = () => {
    video.disableRemotePlayback = true
  }
  disable()
  // Shaka enables remote playback again whenever it unloads a stream.
  video.addEventListener('loadstart', disable)
  return () => {
    video.removeEventListener('loadstart', disable)
    // Safari plays through ManagedMediaSource only while remote playback is disabled. Shaka disables it for the
    // same reason.
    video.disableRemotePlayback = 'ManagedMediaSource' in window
  }
}
