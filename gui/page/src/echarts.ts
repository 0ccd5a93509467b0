// The parts of Apache ECharts that our figures use; no other file names the package.

import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts";
import {
    DataZoomInsideComponent,
    GridComponent,
    LegendComponent,
    MarkLineComponent,
    TooltipComponent,
} from "echarts/components";
import { init, use, type EChartsCoreOption, type EChartsType } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { SVGRenderer } from "echarts/renderers";

use([
    BarChart,
    CustomChart,
    DataZoomInsideComponent,
    GridComponent,
    LabelLayout,
    LegendComponent,
    LineChart,
    MarkLineComponent,
    ScatterChart,
    SVGRenderer,
    TooltipComponent,
]);

export { init };
export type Option = EChartsCoreOption;
export type Drawn = EChartsType;
