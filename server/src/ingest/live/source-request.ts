import type { Readable } from 'node:stream'
import type { FfmpegSource, LiveSource } from './live-source.ts'
import type { OutputPlan } from './output-plan.ts'

/** Headers that a provider expects. */
export interface SourceHeaders {
  userAgent?: string
  referrer?: string
}

/** A source that ffmpeg must not open itself. The keeper opens it, and so it outlives the process that asks. */
export interface SourceRequest {
  source: Extract<LiveSource, { kind: 'rtmp' | 'http' }>
  headers: SourceHeaders
  /** Private hosts, addresses or CIDR ranges that the operator allows. */
  allow: readonly string[]
}

/** How an ffmpeg is started: with arguments, or on a source that is opened first. */
export type ProgramStart =
  | { arguments: readonly string[] }
  | { request: SourceRequest; plan: OutputPlan | undefined }

/** A source that is open for one run of ffmpeg. */
export interface OpenSource {
  source: FfmpegSource
  /** The stream for the standard input of ffmpeg. */
  input?: Readable
  /** Variables of ffmpeg's environment. */
  environment?: Readonly<Record<string, string>>
  /** Aborts when the source must not be read any more. */
  signal?: AbortSignal
  close?: () => void
}

/** Opens sources for the ffmpegs of a keeper. */
export interface Sources {
  /**
   * Opens a source. May wait until it sends. A stream key of RTMP stays received under the name after the run.
   *
   * @param name of the input
   * @throws SourceError, OutboundError
   */
  open(name: string, request: SourceRequest, signal: AbortSignal): Promise<OpenSource>
  /** Whether something is received under a name. */
  has(name: string): boolean
  release(name: string): void
}
