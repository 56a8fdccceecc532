export { ConfigError } from './config/config-error.js';
export { type Config, type ConfigSpec, loadConfig } from './config/load-config.js';
export { optional, type Parsed, variable, type Variable, type VariableName, type VariableOptions } from './config/variable.js';
export { durationMs, flag, integer, list, oneOf, text, url } from './config/variable-kinds.js';

export { invalidRequest } from './problem/invalid-request.js';
export { jsonPointer } from './problem/json-pointer.js';
export { type FieldFault, problem, type Problem, type ProblemAnswer, type ProblemParts, problemType } from './problem/problem.js';
export { ProblemException } from './problem/problem-exception.js';
export { PROBLEM_MEDIA_TYPE, sendProblem } from './problem/send-problem.js';
export { type ProblemTranslator, toProblem } from './problem/to-problem.js';

export { bearerToken } from './access/bearer-token.js';
export { type Admit, guardRoutes, type RoutedAccess } from './access/guard-routes.js';
export { isLocalCaller } from './access/is-local-caller.js';

export { createMetrics, type Registry } from './health/create-metrics.js';
export { type Check, type CheckResult, HealthChecks, type Readiness } from './health/health-checks.js';
export { type Tally, TalliedHistogram, type TalliedHistogramOptions } from './health/tallied-histogram.js';

export { OPERATIONS_PATHS } from './openapi/operations-paths.js';
export { serveOpenApi } from './openapi/serve-openapi.js';
export { withRoleSecurity } from './openapi/with-role-security.js';
export { writeDocument } from './openapi/write-document.js';

export { createLogger, LOG_LEVELS, type Logger, type LoggerOptions, type LogLevel } from './logging/create-logger.js';
export { REQUEST_ID_HEADER, requestIdOf } from './logging/request-id.js';
export { routeLabel } from './logging/route-label.js';

export { backoff } from './bus/backoff.js';
export { measureBus } from './bus/bus-metrics.js';
export type { BatchHandler, BatchMessage, BusBatch, EventBatches, OutgoingMessage } from './bus/event-batches.js';
export type { Audience, BusHandler, BusMessage, BusStats, EventBus, Published } from './bus/event-bus.js';
export { EventBusServer } from './bus/event-bus-server.js';
export { EventContext } from './bus/event-context.js';
export { InProcessBus } from './bus/in-process-bus.js';
export { openBus } from './bus/open-bus.js';
export { KafkaBus, type KafkaBusOptions } from './bus/kafka-bus.js';
export { LEFT_OUT } from './bus/left-out-records.js';
export type { Subscription } from './bus/subscription.js';

export type { HotRoute } from './hot-route/hot-route.js';
export { WHOLE_BODIES } from './hot-route/serve-hot-routes.js';
export { type TextAnswer, writeText } from './hot-route/write-text.js';

export { type AppOptions, createApp } from './app/create-app.js';
export { answerClientError, answerFrameworkError } from './app/framework-errors.js';
export { OWN_HOST_CHECK, refuseUnclearHttp } from './app/refuse-unclear-http.js';
export { listenFault, portFault, type WantedPort } from './app/port-fault.js';
export { runMain } from './app/run-main.js';
export { StartError } from './app/start-error.js';
export { closeGracefully } from './app/close-gracefully.js';
export { silentConnections } from './app/silent-connections.js';
export { type StopOptions, stopOnSignal } from './app/stop-on-signal.js';
