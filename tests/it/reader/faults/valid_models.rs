//! The valid models that faults are put into. Every port is one line, so that short texts stand once.

/// A model and its weights.
pub(super) struct Base {
    /// The text.
    pub xml: &'static str,
    /// The numbers after the first bytes of the weights, which are zero.
    pub constants: &'static [i64],
    /// How many of these zero bytes there are.
    pub zeros: usize,
}

impl Base {
    pub(super) fn weights(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.zeros];
        bytes.extend(self.constants.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }
}

/// Convolution, Split, `ReLU`, Concat, Reshape and `MatMul`.
pub(super) const NET: Base = Base {
    zeros: 1296 + 128,
    constants: &[1, 1, -1],
    xml: r#"<?xml version="1.0"?>
<net name="base" version="11">
	<layers>
		<layer id="0" name="x" type="Parameter" version="opset1">
			<data shape="1,3,16,18" element_type="f32"/>
			<output>
				<port id="0" precision="FP32" names="x"><dim>1</dim><dim>3</dim><dim>16</dim><dim>18</dim></port>
			</output>
		</layer>
		<layer id="1" name="w" type="Const" version="opset1">
			<data element_type="f32" shape="12, 3, 3, 3" offset="0" size="1296"/>
			<output>
				<port id="0" precision="FP32" names="w"><dim>12</dim><dim>3</dim><dim>3</dim><dim>3</dim></port>
			</output>
		</layer>
		<layer id="2" name="conv" type="Convolution" version="opset1">
			<data strides="1, 1" dilations="1, 1" pads_begin="0, 0" pads_end="0, 0" auto_pad="explicit"/>
			<input>
				<port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>16</dim><dim>18</dim></port>
				<port id="1" precision="FP32"><dim>12</dim><dim>3</dim><dim>3</dim><dim>3</dim></port>
			</input>
			<output>
				<port id="2" precision="FP32" names="conv"><dim>1</dim><dim>12</dim><dim>14</dim><dim>16</dim></port>
			</output>
		</layer>
		<layer id="3" name="axis" type="Const" version="opset1">
			<data element_type="i64" shape="" offset="1424" size="8"/>
			<output>
				<port id="0" precision="I64" names="axis"/>
			</output>
		</layer>
		<layer id="4" name="split" type="Split" version="opset1">
			<data num_splits="3"/>
			<input>
				<port id="0" precision="FP32"><dim>1</dim><dim>12</dim><dim>14</dim><dim>16</dim></port>
				<port id="1" precision="I64"/>
			</input>
			<output>
				<port id="2" precision="FP32" names="split_0"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port>
				<port id="3" precision="FP32" names="split_1"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port>
				<port id="4" precision="FP32" names="split_2"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port>
			</output>
		</layer>
		<layer id="5" name="relu" type="ReLU" version="opset1">
			<input>
				<port id="0" precision="FP32"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port>
			</input>
			<output>
				<port id="1" precision="FP32" names="relu"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port>
			</output>
		</layer>
		<layer id="6" name="cat" type="Concat" version="opset1">
			<data axis="1"/>
			<input>
				<port id="0" precision="FP32"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port>
				<port id="1" precision="FP32"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port>
			</input>
			<output>
				<port id="2" precision="FP32" names="cat"><dim>1</dim><dim>8</dim><dim>14</dim><dim>16</dim></port>
			</output>
		</layer>
		<layer id="7" name="target" type="Const" version="opset1">
			<data element_type="i64" shape="2" offset="1432" size="16"/>
			<output>
				<port id="0" precision="I64" names="target"><dim>2</dim></port>
			</output>
		</layer>
		<layer id="8" name="reshape" type="Reshape" version="opset1">
			<data special_zero="false"/>
			<input>
				<port id="0" precision="FP32"><dim>1</dim><dim>8</dim><dim>14</dim><dim>16</dim></port>
				<port id="1" precision="I64"><dim>2</dim></port>
			</input>
			<output>
				<port id="2" precision="FP32" names="reshape"><dim>1</dim><dim>1792</dim></port>
			</output>
		</layer>
		<layer id="9" name="m" type="Const" version="opset1">
			<data element_type="f32" shape="32, 1" offset="1296" size="128"/>
			<output>
				<port id="0" precision="FP32" names="m"><dim>32</dim><dim>1</dim></port>
			</output>
		</layer>
		<layer id="10" name="mm" type="MatMul" version="opset1">
			<data transpose_a="false" transpose_b="false"/>
			<input>
				<port id="0" precision="FP32"><dim>32</dim><dim>1</dim></port>
				<port id="1" precision="FP32"><dim>1</dim><dim>1792</dim></port>
			</input>
			<output>
				<port id="2" precision="FP32" names="mm"><dim>32</dim><dim>1792</dim></port>
			</output>
		</layer>
		<layer id="11" name="res" type="Result" version="opset1" output_names="y">
			<input>
				<port id="0" precision="FP32"><dim>32</dim><dim>1792</dim></port>
			</input>
		</layer>
	</layers>
	<edges>
		<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
		<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
		<edge from-layer="2" from-port="2" to-layer="4" to-port="0"/>
		<edge from-layer="3" from-port="0" to-layer="4" to-port="1"/>
		<edge from-layer="4" from-port="2" to-layer="5" to-port="0"/>
		<edge from-layer="5" from-port="1" to-layer="6" to-port="0"/>
		<edge from-layer="4" from-port="4" to-layer="6" to-port="1"/>
		<edge from-layer="6" from-port="2" to-layer="8" to-port="0"/>
		<edge from-layer="7" from-port="0" to-layer="8" to-port="1"/>
		<edge from-layer="9" from-port="0" to-layer="10" to-port="0"/>
		<edge from-layer="8" from-port="2" to-layer="10" to-port="1"/>
		<edge from-layer="10" from-port="2" to-layer="11" to-port="0"/>
	</edges>
	<rt_info/>
</net>
"#,
};
