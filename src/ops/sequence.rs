//! Recurrent networks, decoding of labels (CTC), one-hot encodings and attention.

mod ctc_greedy_decoder;
mod ctc_greedy_decoder_seq_len;
mod ctc_loss;
mod gru_cell;
mod gru_sequence;
mod lstm_cell;
mod lstm_sequence;
mod one_hot;
mod rnn_cell;
mod rnn_sequence;
mod scaled_dot_product_attention;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &ctc_greedy_decoder::CTC_GREEDY_DECODER_1,
    &ctc_greedy_decoder_seq_len::CTC_GREEDY_DECODER_SEQ_LEN_6,
    &ctc_loss::CTC_LOSS_4,
    &gru_cell::GRU_CELL_3,
    &gru_sequence::GRU_SEQUENCE_5,
    &lstm_cell::LSTM_CELL_1,
    &lstm_cell::LSTM_CELL_4,
    &lstm_sequence::LSTM_SEQUENCE_5,
    &one_hot::ONE_HOT_1,
    &one_hot::ONE_HOT_16,
    &rnn_cell::RNN_CELL_1,
    &rnn_sequence::RNN_SEQUENCE_5,
    &scaled_dot_product_attention::SCALED_DOT_PRODUCT_ATTENTION_13,
];
